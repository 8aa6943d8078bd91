# ${name}

${architecture}: ${layers} layers, hidden size ${hidden}, intermediate size ${intermediate}, ${heads} query and ${kv_heads} key/value heads of ${head_dim},
vocabulary ${vocab}.

    make verify
    make profile
    ../../../bin/npuflow deploy .

The weights are links to where they lay when this directory was made. Prompts are npuflow's; put in eight of your own before you trust a gate.
