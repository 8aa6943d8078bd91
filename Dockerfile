# docker build -t npuflow . && docker run --rm npuflow
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends make curl ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /npuflow
COPY . .
RUN make build
CMD ["make", "demo"]
