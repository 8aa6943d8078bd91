# ${name}

${architecture}: ${n_layers} layers, hidden size ${emb_dim}, intermediate size ${hidden_dim}, ${n_heads} query and ${n_kv_heads} key/value heads of ${head_dim},
vocabulary ${vocab_size}.

    make verify
    make profile
    ../../../bin/npuflow deploy .

<#if linked>
The weights are links to where they lay when this directory was made.
<#else>
There are no weights here: synthetic ones of the real shape stand in, unless `--weights` names a directory that has them.
</#if>
Prompts are npuflow's; put in eight of your own before you trust a gate.
